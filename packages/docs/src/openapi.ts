/** The parts of an OpenAPI 3.1 document that the reference shows. */
export interface OpenApi {
  readonly info: { readonly title: string; readonly description: string };
  readonly servers: readonly { readonly url: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly webhooks?: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, Schema & Parameter>>>>;
}

export interface Operation {
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description?: string;
  readonly parameters?: readonly (Parameter | Reference)[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly description: string; readonly content?: Content }>>;
}

export interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema?: Schema;
}

export interface Reference {
  readonly $ref: string;
}

type Content = Readonly<Record<string, { readonly schema?: Schema }>>;

export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly patternProperties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly description?: string;
  readonly examples?: readonly unknown[];
}

const partOf = ({ components }: OpenApi, ref: string) => {
  const [kind = "", name = ""] = ref.split("/").slice(-2);
  const part = components[kind]?.[name];
  if (part === undefined) throw new Error(`the document has no ${ref}`);
  return part;
};

export const parameterOf = (document: OpenApi, given: Parameter | Reference): Parameter =>
  "$ref" in given ? partOf(document, given.$ref) : given;

/** A schema with what its reference names; its own description comes first. */
export const resolved = (document: OpenApi, schema: Schema): Schema =>
  schema.$ref === undefined ? schema : { ...partOf(document, schema.$ref), ...schema };
