/** Fixed content that the conformance scenarios ask for by name: it exists in tests only. */
import type { CallToolResult, GetPromptResult, ReadResourceResult } from '@modelcontextprotocol/server';

/** A transparent PNG of one pixel, and a WAV without samples. */
const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const WAV = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQAAAAA=';

const image = { type: 'image' as const, data: PNG, mimeType: 'image/png' };

function text(words: string): { type: 'text'; text: string } {
  return { type: 'text', text: words };
}

function embedded(uri: string, mimeType: string, words: string) {
  return { type: 'resource' as const, resource: { uri, mimeType, text: words } };
}

/** Tools that answer the same every time. */
export const FIXED_TOOLS: Record<string, CallToolResult> = {
  test_simple_text: { content: [text('This is a simple text response for testing.')] },
  test_image_content: { content: [image] },
  test_audio_content: { content: [{ type: 'audio', data: WAV, mimeType: 'audio/wav' }] },
  test_embedded_resource: {
    content: [embedded('test://embedded-resource', 'text/plain', 'This is an embedded resource content.')],
  },
  test_multiple_content_types: {
    content: [
      text('Multiple content types test:'),
      image,
      embedded('test://mixed-content-resource', 'application/json', '{"test":"data","value":123}'),
    ],
  },
  test_error_handling: {
    content: [text('This tool intentionally returns an error for testing')],
    isError: true,
  },
  test_logging_tool: { content: [text('Nothing is logged that was not asked for.')] },
  test_trigger_tool_change: { content: [text('The list of tools never changes.')] },
  test_trigger_prompt_change: { content: [text('The list of prompts never changes.')] },
};

/** The resources of the fixture; null for an address it does not know. */
export function fixtureResource(uri: string): ReadResourceResult | null {
  if (uri === 'test://static-text')
    return {
      contents: [{ uri, mimeType: 'text/plain', text: 'This is the content of the static text resource.' }],
    };
  if (uri === 'test://static-binary') return { contents: [{ uri, mimeType: 'image/png', blob: PNG }] };
  const id = /^test:\/\/template\/([^/]+)\/data$/.exec(uri)?.[1];
  if (id === undefined) return null;
  const data = { id, templateTest: true, data: `Data for ID: ${id}` };
  return { contents: [{ uri, mimeType: 'application/json', text: JSON.stringify(data) }] };
}

/** The prompts of the fixture; null for a name it does not know. */
export function fixturePrompt(name: string, args: Record<string, string> = {}): GetPromptResult | null {
  if (name === 'test_simple_prompt') return said(text('This is a simple prompt for testing.'));
  if (name === 'test_prompt_with_arguments')
    return said(text(`Prompt with arguments: arg1='${args['arg1']}', arg2='${args['arg2']}'`));
  if (name === 'test_prompt_with_embedded_resource')
    return said(
      embedded(args['resourceUri'] ?? '', 'text/plain', 'Embedded resource content for testing.'),
      text('Please process the embedded resource above.'),
    );
  if (name === 'test_prompt_with_image') return said(image, text('Please analyze the image above.'));
  return null;
}

function said(...contents: GetPromptResult['messages'][number]['content'][]): GetPromptResult {
  return { messages: contents.map((content) => ({ role: 'user', content })) };
}
