import type { StoredObject } from "../../src/openadr-3/domain/stored-object.js";

/** An object of OpenADR 3 as a store has it: a program without anything, unless said otherwise. */
export const storedObject = (
  id: string,
  of: Partial<StoredObject> & Pick<StoredObject, "createdAt">,
): StoredObject => ({
  id,
  environment: "production",
  objectType: "PROGRAM",
  clientId: null,
  programId: null,
  eventId: null,
  venId: null,
  name: id,
  targets: [],
  transpiresAt: null,
  body: {},
  bearerTokens: null,
  source: null,
  registeredAt: null,
  modifiedAt: of.createdAt,
  ...of,
});
