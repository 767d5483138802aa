import { hash, verify } from "@node-rs/argon2";

// Argon2id with 19 MiB and 2 passes: the least that OWASP advises.
const options = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/** Keyboards write some characters in two ways. */
const normal = (password: string): string => password.normalize("NFKC");

/** What a password is compared with where there is none: made once, of nothing that anybody knows. */
let nobodys: Promise<string> | undefined;

export const passwords = {
  hash: (password: string): Promise<string> => hash(normal(password), options),
  async verify(hashed: string | null, password: string): Promise<boolean> {
    nobodys ??= hash(crypto.randomUUID(), options);
    const isRight = await verify(hashed ?? (await nobodys), normal(password));
    return hashed !== null && isRight;
  },
};
