import Type from "typebox";
import { ObjectId, type ObjectType } from "./values.js";

/** What the VTN adds to each object of a type. */
export const metadata = <T extends ObjectType>(objectType: T) =>
  Type.Object({
    id: ObjectId,
    createdDateTime: Type.String({ description: "When the object was created (RFC 3339)." }),
    modificationDateTime: Type.String({ description: "When the object was changed last (RFC 3339)." }),
    objectType: Type.Literal(objectType),
  });

/** What the VTN adds to every object. */
export interface ObjectMetadata {
  readonly id: string;
  readonly createdDateTime: string;
  readonly modificationDateTime: string;
  readonly objectType: ObjectType;
}
