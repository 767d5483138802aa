import type { FastifyInstance } from "fastify";
import type { Clock } from "../../platform/clock.js";
import { setCaller } from "../caller/caller.js";
import { setPerson } from "../caller/person.js";
import { applyRate } from "../caller/request-rate.js";
import { findSignedIn, requireRole, type SessionCheckPorts } from "../caller/session-check.js";
import type { WindowsOf } from "../caller/shared-limits.js";

export interface ConsoleCheck extends SessionCheckPorts {
  readonly clock: Clock;
}

/** Admits participants' users, each to their own account; checked before the body is read. */
export const checkParticipants = (
  app: FastifyInstance,
  { rateLimit, windowsOf }: { readonly rateLimit: number; readonly windowsOf: WindowsOf },
  ports: ConsoleCheck,
): void => {
  const windows = windowsOf("users");
  app.addHook("onRequest", async (request, reply) => {
    const { user } = await findSignedIn(request, ports);
    applyRate(reply, windows.count(user.id, rateLimit, ports.clock.now().getTime()), "this user");
    requireRole(request, user, "participant");
    const { actor, within: accountId } = setPerson(request, user);
    const caller = { accountId, actor, environment: "production", sees: "displayed sites" } as const;
    setCaller(request, caller, async () =>
      requireRole(request, (await findSignedIn(request, ports)).user, "participant"),
    );
  });
};
