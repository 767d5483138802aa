import type { FastifyInstance } from "fastify";
import { buildServer, type ServerPorts } from "../http/build-server.js";
import { KeyMemory } from "../http/key-memory.js";
import type { WebhookPorts } from "../operations/manage-webhooks.js";
import type { Clock } from "../operations/ports.js";
import type { Config } from "../runtime/config.js";
import type { Logger } from "../runtime/logger.js";
import { equalHashes, hashToken, newId } from "../runtime/secrets.js";
import { publicCaller, publicService } from "../sandbox/public-service.js";

export interface SandboxWiring {
  readonly config: Config;
  readonly logger: Logger;
  readonly clock: Clock;
  readonly webhooks: Pick<WebhookPorts, "policy" | "newSecret" | "probe">;
  readonly health: ServerPorts["health"];
}

/** The sandbox listener, not yet listening. */
export interface Sandbox {
  readonly app: FastifyInstance;
}

export const wireSandbox = async ({ config, logger, clock, webhooks, health }: SandboxWiring): Promise<Sandbox> => {
  const isPublicKey = publicKeyCheck(config.sandboxPublicKey);
  const memory = new KeyMemory(async (apiKey) => (isPublicKey(apiKey) ? publicCaller : null), clock);
  const app = await buildServer(
    { ...config, keyHeader: config.apiKeyHeader },
    {
      logger,
      keys: { authenticate: (apiKey) => memory.find(apiKey), clock },
      participant: publicService({ ...webhooks, clock, newId, maxReadings: config.maxReadings }),
      health,
      // Its requests are rehearsals: counted among production's, they would hide how that one does.
      observe: () => {},
    },
  );
  return { app };
};

const publicKeyCheck = (publicKey: string): ((apiKey: string) => boolean) => {
  const hash = hashToken(publicKey);
  return (apiKey) => equalHashes(hash, hashToken(apiKey));
};
