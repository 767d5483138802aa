import Type from "typebox";
import { MAX_PAGE } from "../constants.js";
import { integer, nullable, string, withoutExample } from "../values.js";

export { MAX_PAGE };

/** Query of every paged list: an opaque cursor, and the size of a page. */
export const PageQuery = Type.Object({
  cursor: Type.Optional(
    withoutExample(Type.String({ description: "`next_cursor` of the previous page. Default: the first page." })),
  ),
  limit: Type.Optional(
    integer("Maximum number of items on the page. Default: 100.", 50, { minimum: 1, maximum: MAX_PAGE }),
  ),
});

export const environments = ["production", "sandbox"] as const;

/** Query of lists that production and the sandbox keep separately. */
export const EnvironmentChoice = Type.Object({
  environment: Type.Optional(
    Type.Enum([...environments], { description: "Environment of the objects. Default: `production`." }),
  ),
});

/** Query of a paged list that production and the sandbox keep separately. */
export const EnvironmentQuery = Type.Object({ ...PageQuery.properties, ...EnvironmentChoice.properties });

/** Reply of every paged list; `next_cursor` is null on the last page. */
export const pageOf = <S extends Type.TSchema>(item: S) =>
  Type.Object({
    items: Type.Array(item, { description: "Items of the page." }),
    next_cursor: nullable(string("`cursor` of the next page; null on the last page.", "WyIyMDI2LTA3LTAxIl0")),
  });
