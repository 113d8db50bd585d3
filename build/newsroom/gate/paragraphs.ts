/** What holds for a paragraph as a whole, and for passages that stand alone: citations, datasets and publishers. */
import type { Citation } from '../citation.ts';
import type { Paragraph, Passage } from '../story.ts';

type ReportPassage = (passage: Passage, rule: string, message: string) => void;

/** Reports what only a whole paragraph can break. */
export function checkParagraph(
  { kind, sentences }: Paragraph,
  citations: Map<string, Citation>,
  report: ReportPassage,
): void {
  const [first] = sentences;
  if (!first) return;
  const tokens = sentences.flatMap((sentence) => sentence.tokens);
  const cited = tokens.flatMap(({ raw }) => citations.get(raw) ?? []);
  if (tokens.length === 0)
    report(
      first,
      'uncited-paragraph',
      'the paragraph cites nothing; each names at least one packaged record',
    );
  if (cited.length < tokens.length) return;
  const sets = distinct(cited.map(({ dataset }) => dataset));
  const publishers = distinct(cited.map(({ source }) => publisherOf(source.publisher)));
  if (kind === 'paragraph' && sets.length > 1)
    report(
      first,
      'synthesis-unmarked',
      `the paragraph draws on ${sets.join(' and ')} together: begin it with "synthesis:" or part it`,
    );
  if (kind === 'synthesis' && publishers.length < 2)
    report(
      first,
      'synthesis-single-publisher',
      `a synthesis needs at least two independent publishers, and this one rests on ${publishers.join(' and ') || 'none'}`,
    );
}

/** Title, summary, headings, chart titles and corrections cannot be marked as a synthesis, so each draws on one dataset. */
export function checkSinglePassage(passage: Passage, report: ReportPassage): void {
  const sets = distinct(passage.tokens.map(({ dataset }) => dataset));
  if (sets.length > 1)
    report(
      passage,
      'synthesis-unmarked',
      `it draws on ${sets.join(' and ')} together, which only a paragraph marked as synthesis may do`,
    );
}

/** Publishers count as one when only letter case, brackets or an acronym differ. */
function publisherOf(name: string): string {
  return name
    .replaceAll(/\([^)]*\)/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .toLowerCase();
}

function distinct(values: string[]): string[] {
  return [...new Set(values)];
}

/** A passage as findings quote it. */
export function shortened(text: string): string {
  return text.length > 90 ? `${text.slice(0, 89)}…` : text;
}
