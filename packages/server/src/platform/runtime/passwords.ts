import { hash, type Options, verify } from "@node-rs/argon2";

/** Keyboards write some characters in two ways. */
const normal = (password: string): string => password.normalize("NFKC");

/** Argon2id at a cost; what is compared takes the cost that it was hashed at. */
export const passwordsAt = (cost: Readonly<Options>) => {
  /** What a password is compared with where there is none: made once, of nothing that anybody knows. */
  let nobodys: Promise<string> | undefined;
  return {
    hash: (password: string): Promise<string> => hash(normal(password), cost),
    async verify(hashed: string | null, password: string): Promise<boolean> {
      nobodys ??= hash(crypto.randomUUID(), cost);
      const isRight = await verify(hashed ?? (await nobodys), normal(password));
      return hashed !== null && isRight;
    },
  };
};

// 19 MiB and 2 passes: the least that OWASP advises.
export const passwords = passwordsAt({ memoryCost: 19_456, timeCost: 2, parallelism: 1 });
