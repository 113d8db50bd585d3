/** Validation of documents made by others. A bundle puts their large schemas into a file of its own, which no first response loads. */
export { validator } from './schema.ts';
