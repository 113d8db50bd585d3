/** The process that `npm run dev` starts, and starts again when code changes. */
import { preview } from './preview.ts';

process.exitCode = await preview(process.env);
