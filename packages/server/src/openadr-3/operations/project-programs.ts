import { type OwnProgram, programObject, type Retailer, uniqueNames } from "@curtail/openadr-3";
import {
  type ProjectedObject,
  type ProjectedProgram,
  SANDBOX_PROGRAM,
  TELEMETRY_PROGRAM,
  TEST_PROGRAM,
} from "../domain/projection.js";
import { type Projecting, type ProjectingStores, recordProjection } from "./record-projection.js";

/** The programs that the service adds to those of the operator. */
const TESTS: ProjectedProgram = {
  id: TEST_PROGRAM,
  name: "Test dispatch",
  programType: "not_specified",
  isPublic: true,
};
const TELEMETRY: ProjectedProgram = {
  id: TELEMETRY_PROGRAM,
  name: "Telemetry",
  programType: "not_specified",
  isPublic: true,
};
const SANDBOX: ProjectedProgram = {
  id: SANDBOX_PROGRAM,
  name: "Sandbox scenarios",
  programType: "not_specified",
  isPublic: true,
};

/**
 * Makes the program objects of an environment follow our programs. The target of one that is not public is our id of it,
 * which VENs are granted whose account has something in it: its name may reveal other customers. Returns whether any changed.
 */
export const projectPrograms = async (
  stores: ProjectingStores,
  projecting: Projecting,
  retailer: Retailer,
): Promise<boolean> => {
  const { environment } = projecting;
  const own = environment === "production" ? [...(await stores.openadr3Sources.programs()), TESTS] : [SANDBOX];
  const programs = [...own, TELEMETRY];
  const names = uniqueNames(programs, await stores.openadr3Projected.takenPrograms(environment));
  const wanted = programs.map((program) => toObject(program, names.get(program.id) ?? program.id, retailer));
  const existing = await stores.openadr3Projected.programs(environment);
  // Programs are never deleted; those of a demo go with everything that refers to them.
  const kept = new Set(programs.map(({ id }) => id));
  const changes = await recordProjection(stores, projecting, {
    existing: existing.filter(({ source }) => source !== null && kept.has(source.id)),
    wanted,
  });
  return changes.length > 0;
};

const toObject = (
  { id, name: longName, programType, isPublic }: ProjectedProgram,
  name: string,
  retailer: Retailer,
) => {
  const targets = isPublic ? [] : [id];
  const program: OwnProgram = { name, longName, programType, targets };
  return {
    objectType: "PROGRAM",
    source: { kind: "program", id },
    clientId: null,
    programId: null,
    venId: null,
    name,
    targets,
    transpiresAt: null,
    body: programObject(program, retailer),
  } satisfies ProjectedObject;
};
