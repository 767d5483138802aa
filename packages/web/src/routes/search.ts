/** Parsed query parameters of an address. */
type Search = Readonly<Record<string, unknown>>;

export const textOf = <Name extends string>(search: Search, name: Name): { [K in Name]?: string } => {
  const value = search[name];
  const text = typeof value === "number" ? String(value) : value;
  return (typeof text === "string" && text !== "" ? { [name]: text } : {}) as { [K in Name]?: string };
};

export const numberOf = <Name extends string>(search: Search, name: Name): { [K in Name]?: number } => {
  const value = Number(search[name] ?? Number.NaN);
  return (Number.isSafeInteger(value) && value > 0 ? { [name]: value } : {}) as { [K in Name]?: number };
};

/** Several optional texts. */
export const texts =
  <Name extends string>(...names: readonly Name[]) =>
  (search: Search): { [K in Name]?: string } =>
    Object.assign({}, ...names.map((name) => textOf(search, name))) as { [K in Name]?: string };
