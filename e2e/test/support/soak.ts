/** How often a test repeats what a kill or a signal may hit at any moment; more often in a long run, by `SOAK_ROUNDS`. */
export const soakRounds = (usual: number): number => Number(process.env["SOAK_ROUNDS"] ?? usual);
