/** How often to repeat a test whose kill or signal may come at any moment; `SOAK_ROUNDS` sets more for a long run. */
export const soakRounds = (usual: number): number => Number(process.env["SOAK_ROUNDS"] ?? usual);
