import { readFileSync, writeFileSync } from "node:fs";
import { datedDocument } from "./dated-document.js";
import { datedVersions } from "./dated-versions.js";
import { authDocument, consoleDocument, operatorDocument, participantDocument, sandboxDocument } from "./documents.js";
import { withConditions, withTables } from "./lists/admin-tables.js";

// Run by `npm run openapi`; a test compares the committed files with the current schemas.
const write = (file: string, document: unknown): void =>
  writeFileSync(new URL(`../${file}`, import.meta.url), `${JSON.stringify(document, null, 2)}\n`);

write("2022-04-15.openapi.json", participantDocument());
write("2022-04-15-sandbox.openapi.json", sandboxDocument());
for (const version of datedVersions) write(`${version.date}.openapi.json`, datedDocument(version));
write("operator-v1.openapi.json", operatorDocument());
write("console-v1.openapi.json", consoleDocument());
write("auth.openapi.json", authDocument());

const writePage = (file: string, change: (page: string) => string): void => {
  const page = new URL(`../../../docs/${file}`, import.meta.url);
  writeFileSync(page, change(readFileSync(page, "utf8")));
};
writePage("admin.md", withTables);
writePage("runbook.md", withConditions);
