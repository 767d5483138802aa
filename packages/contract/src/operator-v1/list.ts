import Type from "typebox";

export const MAX_PAGE = 500;

/** Query of every operator list: opaque cursor of the page before, and a page size. */
export const PageQuery = Type.Object({
  cursor: Type.Optional(Type.String({ description: "next_cursor of the page before." })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_PAGE, description: "Items a page; 100 unless given." })),
});

/** For what production and the sandbox each have their own of. */
export const EnvironmentChoice = Type.Object({
  environment: Type.Optional(
    Type.Enum(["production", "sandbox"], { description: "Which of the two; production unless given." }),
  ),
});

/** The same, of a list. */
export const EnvironmentQuery = Type.Object({ ...PageQuery.properties, ...EnvironmentChoice.properties });

/** Reply of every operator list; `next_cursor` is null on the last page. */
export const pageOf = <S extends Type.TSchema>(item: S) =>
  Type.Object({ items: Type.Array(item), next_cursor: Type.Union([Type.String(), Type.Null()]) });

export const byId = Type.Object({ id: Type.String() });
