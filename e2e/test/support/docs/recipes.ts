import { testHomeAssistant } from "./home-assistant.js";
import { testNiagara } from "./niagara.js";
import { testNodeRed } from "./node-red.js";
import type { RecipeTest } from "./recipe-test.js";
import { testSignature } from "./signature.js";
import { testTelegraf } from "./telegraf.js";

/** Blocks that another program reads: `recipe=NAME` after the language leads to the test that does what it would do. */
export const recipes: Readonly<Record<string, (test: RecipeTest) => Promise<void>>> = {
  "home-assistant": testHomeAssistant,
  niagara: testNiagara,
  "node-red": testNodeRed,
  signature: testSignature,
  telegraf: testTelegraf,
};
