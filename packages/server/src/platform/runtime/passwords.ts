import { hash, type Options, verify } from "@node-rs/argon2";

/** Keyboards enter some characters in two ways. */
const normal = (password: string): string => password.normalize("NFKC");

/** Argon2id at a given cost; verifying uses the cost of the stored hash. */
export const passwordsAt = (cost: Readonly<Options>) => {
  /** Compared with if a user has no password: created once, from a random text. */
  let placeholder: Promise<string> | undefined;
  return {
    hash: (password: string): Promise<string> => hash(normal(password), cost),
    async verify(hashed: string | null, password: string): Promise<boolean> {
      placeholder ??= hash(crypto.randomUUID(), cost);
      const isRight = await verify(hashed ?? (await placeholder), normal(password));
      return hashed !== null && isRight;
    },
  };
};

// 19 MiB and 2 passes: the minimum that OWASP recommends.
export const passwords = passwordsAt({ memoryCost: 19_456, timeCost: 2, parallelism: 1 });
