export { fileState } from "./file-state.js";
