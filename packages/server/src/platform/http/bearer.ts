import type { IncomingMessage } from "node:http";

/** The token of `Authorization: Bearer`; null without one. */
export const bearerOf = ({ headers }: Pick<IncomingMessage, "headers">): string | null =>
  /^Bearer +(\S+)$/i.exec(headers.authorization ?? "")?.[1] ?? null;
