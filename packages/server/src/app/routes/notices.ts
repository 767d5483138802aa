import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type { FastifyInstance } from "fastify";
import { answerNotBuilt } from "./not-built.js";

export const NOTICES = "/third-party-notices.txt";

/** Licences of what pages, documentation and downloads contain of others; null if they were not built. */
export const noticesText = (): Buffer | null => {
  const file = join(dirname(createRequire(import.meta.url).resolve("@curtail/cli")), "notices", NOTICES);
  return existsSync(file) ? readFileSync(file) : null;
};

/** Serves them to everybody, as the licences ask. */
export const noticesRoute = (app: FastifyInstance, text: Buffer | null): void => {
  if (text === null) return answerNotBuilt(app, NOTICES, "The third-party notices are not built.");
  app.get(NOTICES, async (_request, reply) =>
    reply.type("text/plain; charset=utf-8").header("cache-control", "no-cache").send(text),
  );
};
