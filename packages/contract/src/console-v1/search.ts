export { searchOwn } from "../operator-v1/search.js";
