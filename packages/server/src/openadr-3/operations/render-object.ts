import type { AnyObject } from "@curtail/openadr-3";
import type { StoredObject } from "../domain/stored-object.js";

/**
 * An object as clients see it.
 *
 * @param targets those that its reader may learn; default: all
 */
export const renderObject = (object: StoredObject, targets: readonly string[] = object.targets): AnyObject => {
  const { targets: _all, ...body } = object.body;
  return {
    id: object.id,
    createdDateTime: object.createdAt.toISOString(),
    modificationDateTime: object.modifiedAt.toISOString(),
    objectType: object.objectType,
    ...body,
    ...(targets.length === 0 ? {} : { targets }),
    ...(object.clientId === null ? {} : { clientID: object.clientId }),
  } as AnyObject; // `body` was validated as a request of its type.
};

/** The same as JSON, of a body that is JSON already. */
export const renderedJson = (object: StoredObject, bodyJson: string): string => {
  // Targets come after the body, and an object with them is written whole.
  if (object.targets.length > 0 || "targets" in object.body) return JSON.stringify(renderObject(object));
  const [head, tail] = JSON.stringify(renderObject({ ...object, body: { "": 0 } })).split('"":0');
  return `${head}${bodyJson.slice(1, -1)}${tail}`;
};

/** The same with the bearer tokens of a subscription, for its owner. */
export const renderOwn = (object: StoredObject): AnyObject => {
  const rendered = renderObject(object);
  if (!("objectOperations" in rendered) || object.bearerTokens === null) return rendered;
  const tokens = object.bearerTokens;
  const objectOperations = rendered.objectOperations.map((entry, index) => {
    const bearerToken = tokens[index] ?? null;
    return bearerToken === null ? entry : { ...entry, bearerToken };
  });
  return { ...rendered, objectOperations };
};
