import Type from "typebox";

export const AuthServer = Type.Object({ tokenURL: Type.String() });
export type AuthServer = Type.Static<typeof AuthServer>;

/** A token as clients get it (RFC 6749, section 5.1). */
export const TokenReply = Type.Object({
  access_token: Type.String(),
  token_type: Type.Literal("Bearer"),
  expires_in: Type.Integer(),
  scope: Type.String(),
});
export type TokenReply = Type.Static<typeof TokenReply>;

/** Why there is no token (RFC 6749, section 5.2). */
export const tokenErrors = [
  "invalid_request",
  "invalid_client",
  "invalid_grant",
  "invalid_scope",
  "unauthorized_client",
  "unsupported_grant_type",
] as const;
export type TokenError = (typeof tokenErrors)[number];
