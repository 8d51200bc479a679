import type { ToolAnnotations } from '@modelcontextprotocol/sdk/types.js';
import type * as z from 'zod';

/** What a tool comes to: text for people and models, and the same as data. Both are bounded. */
export interface ToolAnswer {
  readonly text: string;
  readonly data: object;
}

export interface ToolCall {
  /** Aborts when the client cancels the call, or leaves. */
  readonly signal: AbortSignal;
  /** Tells the client how far it is, if the client wants to know. */
  progress(done: number, total: number, message: string): void;
}

/** A tool: when to use it, the strict form of its input, and what it does. */
export interface ToolSpec<Shape extends z.ZodRawShape = z.ZodRawShape> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: Shape;
  readonly hints: ToolAnnotations;
  run(input: z.output<z.ZodObject<Shape>>, call: ToolCall): Promise<ToolAnswer>;
}

/** A tool for a list of tools: the type of its input follows from its form. */
export function defineTool<const Shape extends z.ZodRawShape>(spec: ToolSpec<Shape>): ToolSpec {
  return spec as unknown as ToolSpec;
}

/** Thrown for input that a tool cannot use: what failed, and what to do. */
export class ToolError extends Error {
  override readonly name = 'ToolError';
}

/** Hints for a tool that only reads the sandbox. */
export const readsSandbox: ToolAnnotations = { readOnlyHint: true, idempotentHint: true, openWorldHint: false };
/** Hints for a tool that changes the sandbox, and takes nothing away. */
export const changesSandbox: ToolAnnotations = { readOnlyHint: false, destructiveHint: false, openWorldHint: false };

/** The lines that there are, one below the other. */
export function lines(...parts: readonly (string | readonly string[] | undefined | false)[]): string {
  return parts
    .flat()
    .filter((part) => part !== undefined && part !== false && part !== '')
    .join('\n');
}
