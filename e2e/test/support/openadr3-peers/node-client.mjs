// Drives the class OADR3 of clean-energy-tools/openadr-3-client; each line of the input is a step, each of the output its result.
// Arguments: the compiled client, the address of the VTN.
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const [, , library, baseUrl] = process.argv;
const { CLIENT_ID: clientId, CLIENT_SECRET: clientSecret } = process.env;
const { OADR3 } = await import(pathToFileURL(library).href);
const client = new OADR3({ baseUrl, clientId, clientSecret });

const steps = {
  programs: () => client.searchAllPrograms(),
  program: (id) => client.searchProgramByProgramId(id),
  events: (programID) => client.searchAllEvents(programID),
  vens: () => client.searchVens(),
  register: (venName) => client.createVen({ venName }),
  report: (report) => client.createReport(report),
  reports: () => client.searchAllReports(),
};

for await (const line of createInterface({ input: process.stdin })) {
  const { step, argument } = JSON.parse(line);
  const result = await steps[step](argument).catch((error) => ({ error: String(error) }));
  process.stdout.write(`${JSON.stringify(result.response ?? result)}\n`);
}
