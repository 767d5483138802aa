import type { FastifyInstance } from "fastify";

/** Says at an address, and below it, that what belongs there was not built. */
export const answerNotBuilt = (app: FastifyInstance, address: string, message: string): void => {
  for (const each of [address, `${address}/`, `${address}/*`])
    app.get(each, async (_request, reply) =>
      reply
        .status(404)
        .type("text/plain; charset=utf-8")
        .send(`${message} Run \`npm run build\`, then start the service again.\n`),
    );
};
