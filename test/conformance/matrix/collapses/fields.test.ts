import { expect, test } from 'vitest';
import { type BrokenField, breaking, brokenFields, lostIn } from '../../broken-fields.js';
import { deploy } from '../../deployment.js';
import { everything } from '../../full-run.js';

const reads = ({ operation }: BrokenField): boolean => !/[bB]ooking/.test(operation);

async function run(row?: BrokenField, isReading = row !== undefined && reads(row)) {
  const { sandbox, check } = await deploy({}, row && breaking(row));
  return check({ ...(isReading ? {} : everything(sandbox)), depth: 'quick' });
}

const [reading, writing] = [await run(undefined, true), await run(undefined, false)];

const only = process.env['ROWS'];
test.each(brokenFields.filter((one) => only === undefined || new RegExp(only).test(Object.values(one).join(' '))))(
  'no more than one rule in twenty is lost where $operation has a $field with a wrong $fault',
  async (row) => {
    const { lost, of } = lostIn(reads(row) ? reading : writing, await run(row), row);
    if (only) console.log(Object.values(row).join(' '), lost.length, of, lost.slice(0, 12).join(' '));
    expect(lost.length, lost.join('\n')).toBeLessThanOrEqual(of * 0.05);
  },
);
