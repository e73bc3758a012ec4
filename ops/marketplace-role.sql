-- The role and the database of the server, made once, when the volume of Postgres is new. The server is
-- no superuser: it owns its database. For psql, with the password in MARKETPLACE_PASSWORD.
\getenv password MARKETPLACE_PASSWORD
CREATE ROLE marketplace LOGIN PASSWORD :'password';
CREATE DATABASE marketplace OWNER marketplace ENCODING UTF8 TEMPLATE template0;
