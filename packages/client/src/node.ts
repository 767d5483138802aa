export { fileState, replaceFile } from "./file-state.js";
