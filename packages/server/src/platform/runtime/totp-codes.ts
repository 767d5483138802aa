import { generateSecret, generateSync, generateURI } from "otplib";

/**
 * Authenticator codes by RFC 6238: SHA-1, six digits, a new one every 30 seconds.
 *
 * @param issuer name of the service, as apps show it
 */
export const totpCodes = (issuer: string) => ({
  newSecret: (): string => generateSecret(),
  codeAt: (secret: string, epochSeconds: number): string => generateSync({ secret, epoch: epochSeconds }),
  uriOf: (secret: string, email: string): string => generateURI({ issuer, label: email, secret }),
});
