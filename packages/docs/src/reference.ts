import GithubSlugger from "github-slugger";
import { table } from "./markdown-table.js";
import { exampleOf, membersOf, typeOf } from "./members.js";
import { type OpenApi, type Operation, parameterOf, type Schema } from "./openapi.js";

/** An OpenAPI document in the reference. */
export interface ReferenceDocument {
  /** First part of the addresses of its pages: `api/operator`. */
  readonly address: string;
  readonly title: string;
  readonly document: OpenApi;
  /** Its file, to download. */
  readonly file: string;
  /** Where a running service shows it with a form for each request. */
  readonly viewer: string;
  /** Tags to show; all by default. */
  readonly tags?: readonly string[];
}

export interface ReferencePage {
  readonly address: string;
  readonly markdown: string;
}

interface Listed {
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
}

/** A page for each noun of a document, after a page that lists them. */
export const referencePages = (reference: ReferenceDocument): readonly ReferencePage[] => {
  const tags = byTag(operationsOf(reference)).filter(([tag]) => reference.tags?.includes(tag) ?? true);
  return [
    { address: `${reference.address}/index.html`, markdown: indexOf(reference, tags) },
    ...tags.map(([tag, operations]) => ({
      address: `${reference.address}/${slugOf(tag)}.html`,
      markdown: pageOf(reference, tag, operations),
    })),
  ];
};

const tagOf = ({ operation }: Listed): string => operation.tags[0] ?? "Other";

const byTag = (operations: readonly Listed[]): readonly (readonly [string, readonly Listed[]])[] =>
  [...new Set(operations.map(tagOf))]
    .toSorted((a, b) => a.localeCompare(b))
    .map((tag) => [tag, operations.filter((each) => tagOf(each) === tag)]);

const slugOf = (tag: string): string => tag.toLowerCase().replaceAll(/\W+/g, "-");

const operationsOf = ({ document }: ReferenceDocument): readonly Listed[] => {
  const base = document.servers[0]?.url ?? "";
  const called = Object.entries(document.paths).flatMap(([path, methods]) => listed(base + path, methods));
  const sent = Object.entries(document.webhooks ?? {}).flatMap(([event, methods]) =>
    listed(`to your webhook (${event})`, methods),
  );
  return [...called, ...sent];
};

const listed = (path: string, methods: Readonly<Record<string, Operation>>): readonly Listed[] =>
  Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation }));

const indexOf = (reference: ReferenceDocument, tags: readonly (readonly [string, readonly Listed[]])[]): string => `\
# ${reference.title}

${reference.document.info.description.trim()}

## Requests

A running service has [a form for each of these requests](${reference.viewer}). The OpenAPI document is
[${reference.file}](../${reference.file}).

${tags.map(([tag, operations]) => tagList(tag, operations)).join("\n")}`;

const tagList = (tag: string, operations: readonly Listed[]): string => `\
### ${tag}

${listOf(tag, operations).join("\n")}
`;

/** Links to the headings of the page of a noun. */
const listOf = (tag: string, operations: readonly Listed[]): readonly string[] => {
  const slugger = new GithubSlugger();
  slugger.slug(tag);
  return operations.map(({ method, path, operation: { summary } }) => {
    const at = `${slugOf(tag)}.html#${slugger.slug(summary)}`;
    return `- [${summary}](${at}): \`${method} ${path}\``;
  });
};

const pageOf = (reference: ReferenceDocument, tag: string, operations: readonly Listed[]): string =>
  [
    `# ${tag}\n\nPart of the [${reference.title}](index.html). A running service has [forms to send these requests](${reference.viewer}).`,
    ...operations.map((each) => operationOf(reference.document, each)),
  ].join("\n\n");

const operationOf = (document: OpenApi, { method, path, operation }: Listed): string =>
  [
    `## ${operation.summary}`,
    `\`${method} ${path}\``,
    operation.description ?? "",
    parametersOf(document, operation),
    bodyOf(document, operation),
    answersOf(document, operation),
  ]
    .filter((part) => part !== "")
    .join("\n\n");

const parametersOf = (document: OpenApi, { parameters = [] }: Operation): string => {
  const rows = parameters
    .map((each) => parameterOf(document, each))
    .map(({ name, in: place, required = false, schema = {}, description = "" }) => [
      `\`${name}\``,
      required ? `${place}, required` : place,
      typeOf(document, schema),
      description,
    ]);
  return rows.length === 0 ? "" : `**Parameters**\n\n${table(["name", "in", "type", "meaning"], rows)}`;
};

const bodyOf = (document: OpenApi, { requestBody }: Operation): string => {
  const [type = "", { schema } = {}] = Object.entries(requestBody?.content ?? {})[0] ?? [];
  if (schema === undefined) return "";
  const example =
    type === "application/json"
      ? `\n\n\`\`\`json\n${JSON.stringify(exampleOf(document, schema), null, 2)}\n\`\`\``
      : "";
  return `**Body** (\`${type}\`)${membersTable(document, schema)}${example}`;
};

const membersTable = (document: OpenApi, schema: Schema): string => {
  const rows = membersOf(document, schema).map(({ name, type, isRequired, meaning }) => [
    `\`${name}\``,
    isRequired ? type : `${type}; optional`,
    meaning,
  ]);
  return rows.length === 0 ? `: ${typeOf(document, schema)}` : `\n\n${table(["member", "type", "meaning"], rows)}`;
};

/** Success in detail; errors have one shape, described once. */
const answersOf = (document: OpenApi, { responses }: Operation): string =>
  Object.entries(responses)
    .filter(([status]) => status.startsWith("2"))
    .map(([status, { description, content = {} }]) => {
      const schema = content["application/json"]?.schema;
      const types = Object.keys(content).map((type) => `\`${type}\``);
      const named = types.length === 0 ? "" : ` (${types.join(", ")})`;
      const members = schema === undefined ? "" : membersTable(document, schema);
      return `**Response ${status}**${named}: ${description}${members}`;
    })
    .join("\n\n");
