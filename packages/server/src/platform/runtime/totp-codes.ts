import { generateSecret, generateSync, generateURI } from "otplib";

const ISSUER = "Curtail";

/** Authenticator codes by RFC 6238: SHA-1, six digits, a new one every 30 seconds. */
export const totpCodes = {
  newSecret: (): string => generateSecret(),
  codeAt: (secret: string, epochSeconds: number): string => generateSync({ secret, epoch: epochSeconds }),
  uriOf: (secret: string, email: string): string => generateURI({ issuer: ISSUER, label: email, secret }),
};
