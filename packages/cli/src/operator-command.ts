import { readFileSync } from "node:fs";
import { operator } from "@curtail/contract";
import { type Command, InvalidArgumentError, Option } from "commander";
import { type AdminIo, usageFault } from "./admin-io.js";
import { type Member, membersOf, readMembers } from "./body-options.js";
import { table, thing } from "./human-form.js";
import {
  type Connection,
  callOperator,
  connectionOf,
  downloadTo,
  everyPage,
  type GlobalOptions,
  type OperatorPage,
  type Query,
  type Request,
} from "./operator-client.js";
import type { OperatorCommand } from "./operator-commands.js";
import { duration } from "./option-values.js";
import { type Printer, printerOf } from "./printer.js";
import type { RunAction } from "./run-action.js";
import { formatTimestamp, parseTimestamp } from "./timestamp.js";

/** Adds one command of the operator API below its noun. */
export const addOperatorCommand = (noun: Command, of: OperatorCommand, io: AdminIo, run: RunAction): void => {
  const { endpoint, members, flags = {}, defaults = {} } = of;
  const isChange = endpoint.method === "PATCH";
  const parts = {
    query: membersOf({ schema: endpoint.query, isChange: false, now: io.now }),
    body: membersOf({
      schema: endpoint.body,
      flags,
      defaults,
      isChange,
      now: io.now,
      ...(members === undefined ? {} : { members }),
    }),
  };
  const parameters = parametersOf(endpoint.path);
  const command = noun.command(of.verb).description(of.summary ?? `${endpoint.summary}.`);
  if (endpoint.description !== undefined)
    command.summary(command.description()).description(`${command.description()}\n\n${endpoint.description}`);
  for (const { shown } of parameters) command.argument(`<${shown}>`);
  for (const option of [...parts.query, ...parts.body].flatMap((member) => member.options)) command.addOption(option);
  if (endpoint.takes !== undefined) command.requiredOption("--file <file>", "The file to send.", blobOf);
  if (isList(of)) command.option("--all", "All pages.");
  if (of.hasLength) command.addOption(lengthOption());
  command.action(
    run(async () => {
      const given = command.opts<Given>();
      // Query parameters in the contract are only texts and numbers.
      const query = readMembers(parts.query, given) as Query;
      const body = bodyOf(of, parts.body, given);
      const named = Object.fromEntries(parameters.map(({ name }, at) => [name, command.args[at] ?? ""]));
      const globals = command.optsWithGlobals<GlobalOptions>();
      await answer(of, { io, globals, given }, { params: named, query, ...(body === undefined ? {} : { body }) });
    }),
  );
};

interface Given {
  readonly all?: true;
  /** Milliseconds. */
  readonly for?: number;
  readonly file?: Blob;
  readonly [name: string]: unknown;
}

interface PathParameter {
  readonly name: string;
  /** The name for people: of an id, the noun before it in the path. */
  readonly shown: string;
}

/** `/programs/{id}/terms/{from_month}` takes a program-id and a from-month. */
const parametersOf = (path: string): PathParameter[] =>
  [...path.matchAll(/(\w+)\/\{(\w+)\}/g)].map(([, nouns = "", name = ""]) => ({
    name,
    shown: /(^|_)id$/.test(name) ? `${singularOf(nouns)}-id` : name.replaceAll("_", "-"),
  }));

export const singularOf = (nouns: string): string => nouns.replace(/ies$/, "y").replace(/(ch)es$|s$/, "$1");

/** A report has pages of rows, and a total: it is printed as it is. */
const isList = ({ endpoint }: OperatorCommand): boolean => {
  const members = endpoint.reply === undefined ? {} : propertiesOf(endpoint.reply);
  return "next_cursor" in members && "items" in members;
};

const propertiesOf = (schema: object): Readonly<Record<string, { readonly items?: object }>> =>
  "properties" in schema ? (schema.properties as Record<string, { items?: object }>) : {};

const lengthOption = (): Option =>
  new Option("--for <length>", "Duration of the dispatch, for example 2h or 1h30m.")
    .argParser(duration)
    .conflicts("end");

const bodyOf = (of: OperatorCommand, members: readonly Member[], given: Given): object | undefined => {
  if (of.endpoint.takes !== undefined) return given.file;
  if (of.endpoint.body === undefined) return undefined;
  const body = { ...of.fixed, ...readMembers(members, given) };
  if (of.endpoint.method === "PATCH" && Object.keys(body).length === 0) {
    const flags = members.flatMap((member) => member.options.map((option) => option.long));
    throw usageFault(`nothing to change; set at least one of ${flags.join(", ")}`);
  }
  const start = body["start_time"];
  if (given.for === undefined || typeof start !== "string") return body;
  return { ...body, end_time: formatTimestamp(parseTimestamp(start) + given.for) };
};

const blobOf = (file: string): Blob => {
  try {
    return new Blob([readFileSync(file)]);
  } catch {
    throw new InvalidArgumentError("It must be a readable file.");
  }
};

interface Called {
  readonly io: AdminIo;
  readonly globals: GlobalOptions;
  readonly given: Given;
}

const answer = async (of: OperatorCommand, { io, globals, given }: Called, request: Request): Promise<void> => {
  const connection = connectionOf(io, globals);
  const print = printerOf(io, connection.settings, globals.json === true);
  if (of.endpoint.files !== undefined)
    return downloadTo((piece) => io.stdout.write(piece), connection, of.endpoint, request);
  if (given.all) return answerAll(of, connection, print, request);
  const { text, reply } = await callOperator(connection, of.endpoint, request);
  if (print.isJson) return text === "" ? undefined : print.line(text);
  if (isList(of)) return printPage(of, print, reply as OperatorPage<Row>);
  if (reply === undefined) return print.line(`${Object.values(request.params ?? {}).join(" ")} ${of.done ?? "done"}`);
  print.text(thing(reply as Row, print.style, of.columns));
};

type Row = Readonly<Record<string, unknown>>;

const answerAll = async (
  of: OperatorCommand,
  connection: Connection,
  print: Printer,
  request: Request,
): Promise<void> => {
  const items: Row[] = [];
  const query = { limit: operator.MAX_PAGE, ...request.query };
  for await (const page of everyPage(connection, of.endpoint, { ...request, query }))
    items.push(...(page as readonly Row[]));
  if (print.isJson) return print.line(JSON.stringify({ items, next_cursor: null }));
  printPage(of, print, { items, next_cursor: null });
};

const printPage = (of: OperatorCommand, print: Printer, { items, next_cursor }: OperatorPage<Row>): void => {
  const columns = of.columns ?? Object.keys(propertiesOf(propertiesOf(of.endpoint.reply ?? {})["items"]?.items ?? {}));
  print.text(table(items, columns, print.style));
  if (items.length === 0) print.note("none");
  if (next_cursor !== null) print.note(`more results: --cursor ${next_cursor}, or --all`);
};
