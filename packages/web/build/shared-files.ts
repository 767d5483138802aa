import type { Rolldown } from "vite";
import { startModules } from "./first-loads.js";

type Graph = Parameters<Rolldown.CodeSplittingNameFunction>[1];

/**
 * The file of a module that a start page needs. Each request costs a round trip, so a start page takes four files: what
 * starts the application, what both sides need, what one side needs, and an entry of a line for each of its parts.
 */
export const startFile: Rolldown.CodeSplittingNameFunction = (id, graph) => {
  const sides = Object.entries(reachOf(graph)).flatMap(([side, reached]) => (reached.has(id) ? [side] : []));
  return sides.length > 1 || sides[0] === "everybody" ? "frame" : (sides[0] ?? null);
};

type Reach = Readonly<Record<keyof typeof startModules, ReadonlySet<string>>>;

let known: { readonly graph: Graph; readonly reach: Reach } | null = null;

const reachOf = (graph: Graph): Reach => {
  if (known?.graph !== graph)
    known = {
      graph,
      reach: {
        operators: reachedFrom(graph, startModules.operators),
        participants: reachedFrom(graph, startModules.participants),
        everybody: reachedFrom(graph, startModules.everybody),
      },
    };
  return known.reach;
};

/** Modules with all that they import, but for what is imported only when it is needed. */
const reachedFrom = (graph: Graph, modules: readonly string[]): ReadonlySet<string> => {
  const reached = new Set<string>();
  const waiting = [...modules];
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    if (reached.has(id)) continue;
    reached.add(id);
    waiting.push(...(graph.getModuleInfo(id)?.importedIds ?? []));
  }
  return reached;
};
