import type { HashCost } from '../../src/identity/auth/passwords.ts'

/** The least that argon2 takes: a hash of the product's cost is 40 ms of processor time. */
export const CHEAP_HASHES: HashCost = { memoryCost: 1024, timeCost: 2 }
