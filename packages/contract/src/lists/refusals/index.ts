// What the API refuses, as the service writes it, with the names of its values: what people meet on pages. Programs read it in English.
import { accessRefusals } from "./access.js";
import { demoRefusals } from "./demo.js";
import { dispatchRefusals } from "./dispatch.js";
import { importsRefusals } from "./imports.js";
import { meterDataRefusals } from "./meter-data.js";
import { notificationRefusals } from "./notification.js";
import { openadrRefusals } from "./openadr.js";
import { openadr3Refusals } from "./openadr-3.js";
import { oversightRefusals } from "./oversight.js";
import { performanceRefusals } from "./performance.js";
import { platformRefusals } from "./platform.js";
import { portfolioRefusals } from "./portfolio.js";
import { rulesRefusals } from "./rules.js";
import { sandboxRefusals } from "./sandbox.js";
import { settlementRefusals } from "./settlement.js";
import { telemetryRefusals } from "./telemetry.js";

export const refusals: readonly string[] = [
  ...accessRefusals,
  ...demoRefusals,
  ...dispatchRefusals,
  ...importsRefusals,
  ...meterDataRefusals,
  ...notificationRefusals,
  ...openadrRefusals,
  ...openadr3Refusals,
  ...oversightRefusals,
  ...performanceRefusals,
  ...platformRefusals,
  ...portfolioRefusals,
  ...rulesRefusals,
  ...sandboxRefusals,
  ...settlementRefusals,
  ...telemetryRefusals,
];
