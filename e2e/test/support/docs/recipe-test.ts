import type { CodeBlock } from "@curtail/docs";
import type { DocumentedService } from "./documented-service.js";
import type { Documented } from "./placeholders.js";

export interface RecipeTest {
  /** The blocks of the recipe, in order. */
  readonly blocks: readonly CodeBlock[];
  readonly values: Documented;
  readonly documented: DocumentedService;
}
