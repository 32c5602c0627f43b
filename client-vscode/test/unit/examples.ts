/** The JSON examples that the Python tests load too. */
import { readFileSync } from 'node:fs';
import * as path from 'node:path';
import type { ContextPack } from '../../src/protocol';

const FOLDER = path.resolve('..', 'tests', 'protocol', 'examples');

export function example(name: string): unknown {
  return JSON.parse(readFileSync(path.join(FOLDER, name), 'utf8'));
}

/** A fresh copy of the example pack. */
export function examplePack(): ContextPack {
  return example('pack.json') as ContextPack;
}
