import { createPrivateKey, createPublicKey, generateKeyPair, type KeyObject } from "node:crypto";
import { promisify } from "node:util";

const generate = promisify(generateKeyPair);

export interface KeyPair {
  readonly publicKey: KeyObject;
  readonly privateKey: KeyObject;
}

/** VENs of the field want RSA; 2048 bits is what they can do. */
export const LEAF_BITS = 2048;

export const makeRsaKeys = (modulusLength: number): Promise<KeyPair> => generate("rsa", { modulusLength });

export const pemOf = (privateKey: KeyObject): string => privateKey.export({ type: "pkcs8", format: "pem" }).toString();

/** Throws for what is no private key, or is encrypted. */
export const keysOf = (privatePem: string): KeyPair => {
  const privateKey = createPrivateKey(privatePem);
  return { privateKey, publicKey: createPublicKey(privateKey) };
};
