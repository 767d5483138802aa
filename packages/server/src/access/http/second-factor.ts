import { auth } from "@curtail/contract";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { serve } from "../../platform/http/endpoint.js";
import { done, invalid, isRefusal, mapResult } from "../../platform/refusal.js";
import { type SessionRoutePorts, signedInOf } from "../caller/session-check.js";
import { browserOf } from "../caller/session-cookie.js";
import { beginTotp, confirmTotp, removeTotp, renewRecoveryCodes } from "../operations/manage-second-factor.js";
import type { Codes } from "../operations/sign-in-ports.js";

interface SentCodes {
  readonly totp?: string;
  readonly recovery_code?: string;
}

/** The codes of a request, which uses at most one of them. */
export const codesOf = ({ totp, recovery_code }: SentCodes): Codes => ({
  totp: totp ?? null,
  recoveryCode: recovery_code ?? null,
});

/** The authenticator app and recovery codes of the signed-in user. */
export const secondFactorRoutes = (app: FastifyInstance, ports: SessionRoutePorts): void => {
  const whoOf = (request: FastifyRequest) => ({
    signedIn: signedInOf(request),
    browser: browserOf(request, ports.publicUrl),
  });
  const proving = (request: FastifyRequest, { password, ...codes }: SentCodes & { readonly password: string }) => ({
    ...whoOf(request),
    proof: { password, ...codesOf(codes) },
  });
  const none = { secret: null, otpauth_uri: null, recovery_codes: null };

  serve(app, auth.setUpTotp, async ({ body: { code, password }, request }) => {
    if (code !== undefined) {
      const codes = await confirmTotp(ports, whoOf(request), code);
      return isRefusal(codes) ? codes : { ...none, state: "confirmed" as const, recovery_codes: [...codes] };
    }
    if (password === undefined)
      return invalid("password is missing; send your password to set up an authenticator app");
    const begun = await beginTotp(ports, proving(request, { password }));
    if (isRefusal(begun)) return begun;
    return { ...none, state: "begun" as const, secret: begun.secret, otpauth_uri: begun.uri };
  });
  serve(app, auth.removeTotp, ({ body, request }) => done(removeTotp(ports, proving(request, body))));
  serve(app, auth.renewRecoveryCodes, ({ body, request }) =>
    mapResult(renewRecoveryCodes(ports, proving(request, body)), (codes) => ({ recovery_codes: [...codes] })),
  );
};
