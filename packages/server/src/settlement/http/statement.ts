import type { downloadStatementInputs, getStatement } from "@curtail/contract";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { ResultReader } from "../../performance/domain/version.js";
import { serveAs, serveFile } from "../../platform/http/endpoint.js";
import { sentPieces } from "../../platform/http/file-pieces.js";
import { pageWords } from "../../platform/http/page-language.js";
import { isRefusal } from "../../platform/refusal.js";
import type { Words } from "../../platform/words.js";
import type { Viewer } from "../../portfolio/operations/visible-sites.js";
import { type StatementReport, type ViewingPorts, viewStatement } from "../operations/view-statement.js";
import { documentHeaders, statementDocument } from "./statement-document.js";
import { headToWire, sitesToWire } from "./wire-statement.js";
import { inputTables, statementCsv } from "./wire-statement-csv.js";

interface Named {
  readonly id: string;
  readonly summary: string;
  readonly description: string;
}
type Reading = Omit<typeof getStatement, keyof Named> & Named;
type Downloading = Omit<typeof downloadStatementInputs, keyof Named> & Named;

/** The callers of one of the interfaces. */
export interface StatementCallers {
  readonly viewer: (request: FastifyRequest) => Viewer;
  readonly reader: ResultReader;
}

/** Serves one statement in all its forms, and what it is computed from. */
export const serveStatement = (
  app: FastifyInstance,
  endpoints: { readonly read: Reading; readonly download: Downloading },
  ports: ViewingPorts,
  { viewer, reader }: StatementCallers,
): void => {
  serveAs(app, endpoints.read, async ({ params, query, request, reply }) => {
    const { format = "json", version = null } = query;
    const report = await viewStatement(ports, viewer(request), { id: params.id, version });
    if (isRefusal(report)) return report;
    if (format === "html") reply.headers({ ...documentHeaders, vary: "accept-language, cookie" });
    if (format === "csv") reply.header("content-disposition", `attachment; filename="${nameOf(report)}.csv"`);
    return { type: TYPES[format], body: await forms[format](report, { reader, words: pageWords(request) }) };
  });
  serveFile(app, endpoints.download, async ({ params, query, request }) => {
    const { table = "results", version = null } = query;
    const report = await viewStatement(ports, viewer(request), { id: params.id, version });
    if (isRefusal(report)) return report;
    const body = sentPieces(inputTables[table](report));
    return { type: TYPES.csv, name: `${nameOf(report)}-${table}.csv`, body };
  });
};

const TYPES = {
  json: "application/json; charset=utf-8",
  csv: "text/csv; charset=utf-8",
  html: "text/html; charset=utf-8",
} as const;

const nameOf = ({ statement, shown }: StatementReport): string =>
  `statement-${statement.month}-${statement.id}-version-${shown.version}`;

const whole = async (pieces: AsyncIterable<string>): Promise<string> => {
  const parts: string[] = [];
  for await (const piece of pieces) parts.push(piece);
  return parts.join("");
};

/** Written site by site: the longest statements have some sixty thousand lines. */
async function* statementJson(report: StatementReport, reader: ResultReader): AsyncGenerator<string> {
  yield `${JSON.stringify(headToWire(report, reader)).slice(0, -1)},"sites":[`;
  let isFirst = true;
  for await (const sites of report.sites()) {
    if (sites.length === 0) continue;
    yield `${isFirst ? "" : ","}${JSON.stringify(sitesToWire(sites)).slice(1, -1)}`;
    isFirst = false;
  }
  yield "]}";
}

interface Reader {
  readonly reader: ResultReader;
  /** Of a document. */
  readonly words: Words;
}

const forms = {
  json: (report: StatementReport, { reader }: Reader) => whole(statementJson(report, reader)),
  csv: (report: StatementReport, _reader: Reader) => whole(statementCsv(report)),
  html: (report: StatementReport, { words }: Reader) => whole(statementDocument(words, report)),
};
