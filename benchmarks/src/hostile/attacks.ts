import type { Attack } from "./attacks/attack.js";
import { bodies, deep, halfBodies, labels, refused } from "./attacks/bodies.js";
import { largeFiles, smallFiles } from "./attacks/files.js";
import { hangingRegistrations, hangingWebhooks, sandboxHooks } from "./attacks/hooks.js";
import { metrics } from "./attacks/metrics.js";
import { ownTests } from "./attacks/own-tests.js";
import { quotas } from "./attacks/quotas.js";
import { reads } from "./attacks/reads.js";
import { searches } from "./attacks/searches.js";
import { signIn } from "./attacks/sign-in.js";
import { streams } from "./attacks/streams.js";
import { uploads } from "./attacks/uploads.js";

/** Shows how much two quiet runs differ. */
const nothing: Attack = { title: "nothing: a second quiet run", run: async () => {} };

/** By the name on the command line. */
export const attacks: Readonly<Record<string, Attack>> = {
  nothing,
  labels,
  bodies,
  refused,
  deep,
  "half-bodies": halfBodies,
  uploads,
  files: smallFiles,
  "large-files": largeFiles,
  "own-tests": ownTests,
  "sandbox-hooks": sandboxHooks,
  "hanging-registrations": hangingRegistrations,
  "hanging-webhooks": hangingWebhooks,
  "sign-in": signIn,
  quotas,
  reads,
  searches,
  streams,
  metrics,
};
