-- Links that sign an operator in are stored as the other links are. A server of the release before
-- makes none. It reads none of its own accord, and lets nobody in with one that it is given.
ALTER TYPE "LinkPurpose" ADD VALUE 'sign_in';
