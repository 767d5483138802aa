import { createPrivateKey, createPublicKey, generateKeyPair, type KeyObject } from "node:crypto";
import { promisify } from "node:util";

const generate = promisify(generateKeyPair);

export interface KeyPair {
  readonly publicKey: KeyObject;
  readonly privateKey: KeyObject;
}

/** VENs in the field need RSA, and 2048 bits is what they support. */
export const LEAF_BITS = 2048;

export const makeRsaKeys = (modulusLength: number): Promise<KeyPair> => generate("rsa", { modulusLength });

export const pemOf = (privateKey: KeyObject): string => privateKey.export({ type: "pkcs8", format: "pem" }).toString();

/** Throws if the text is not a private key, or is encrypted. */
export const keysOf = (privatePem: string): KeyPair => {
  const privateKey = createPrivateKey(privatePem);
  return { privateKey, publicKey: createPublicKey(privateKey) };
};
