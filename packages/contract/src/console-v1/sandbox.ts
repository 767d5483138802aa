import { endpoint } from "../endpoint.js";
import * as certificate from "../operator-v1/certificate.js";
import * as operator from "../operator-v1/scenario.js";
import * as participant from "../v2022-04-15/scenario.js";
import { ofOwnAccount } from "./own.js";

/** The caller's own account in the sandbox. */
export const createOwnScenario = endpoint({ ...participant.createScenario, id: "createOwnScenario" });
export const deleteOwnScenario = endpoint({ ...participant.deleteScenario, id: "deleteOwnScenario" });
export const reportOwnScenario = endpoint({ ...participant.reportScenario, id: "reportOwnScenario" });
export const listOwnScenarios = endpoint({
  ...ofOwnAccount(operator.listAccountScenarios),
  id: "listOwnScenarios",
  path: "/scenarios",
  summary: "List your scenarios with what you did, newest first",
  description: "Returns the scenarios of your account in the sandbox and what your systems did meanwhile.",
});
export const listOwnScenarioDeliveries = endpoint({
  ...operator.listScenarioDeliveries,
  id: "listOwnScenarioDeliveries",
  summary: "List deliveries of your scenario, newest first",
});
export const listOwnCertificates = endpoint({
  ...ofOwnAccount(certificate.listAccountCertificates),
  id: "listOwnCertificates",
  path: "/integration-certificates",
  summary: "List your certificates of the sandbox, newest first",
});
