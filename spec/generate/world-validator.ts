import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { header, rootFolder } from './folders.js';
import { inputModule } from './inputs.js';

/** The validator of world files, by the schema that editors use, and their types. */
export function worldValidatorFiles(): Record<string, string> {
  const schema = JSON.parse(readFileSync(resolve(rootFolder, 'spec/world.schema.json'), 'utf8'));
  return {
    'world-validator.js': inputModule(schema, { world: schema }),
    'world-validator.d.ts': `${header}import type { WorldFile } from '../world-file.js';
import type { InputValidator } from './input-validators.js';

/** A world file, by \`spec/world.schema.json\`. */
export const world: InputValidator<WorldFile>;
`,
  };
}

/** The types of a world file. */
export const worldFile = (): string => `${header}${types}`;

const types = `import type { components } from './admin-types.js';

/** An amount for one player, or the totals for 1, 2, 3 and 4 players, in the currency of the facility. */
export type WorldAmounts = number | readonly [number, number, number, number] | readonly number[];

/** A green fee. */
export interface WorldProduct {
  readonly id: number;
  readonly name: string;
  readonly category?: string;
  readonly price: WorldAmounts;
  readonly netRate?: WorldAmounts;
  readonly publicRate?: WorldAmounts;
  readonly holes?: number;
  readonly teeTimes?: 9 | 18;
  readonly from?: string;
  readonly to?: string;
}

/** A product of an exact tee sheet, with its prices of that day. */
export interface WorldDayProduct {
  readonly id: number;
  readonly price: WorldAmounts;
  readonly netRate?: WorldAmounts;
  readonly publicRate?: WorldAmounts;
}

/** A tee time of an exact tee sheet. */
export interface WorldTeeTime {
  readonly id?: number;
  readonly time: string;
  readonly holes?: 9 | 18;
  readonly free?: number;
  readonly products?: readonly (number | WorldDayProduct)[];
}

/** The first and the last tee time of some days. */
export interface WorldHours {
  readonly weekdays?: readonly string[];
  readonly months?: readonly number[];
  readonly opens?: string;
  readonly closes?: string;
}

export interface WorldCourse {
  readonly id: number;
  readonly name: string;
  readonly holes?: 9 | 18;
  readonly opens?: string;
  readonly closes?: string;
  readonly hours?: readonly WorldHours[];
  readonly interval?: number;
  readonly eveningNine?: string;
  readonly closedDays?: readonly string[];
  readonly closedMonths?: readonly number[];
  readonly highMonths?: readonly number[];
  readonly weekendRate?: number;
  readonly highSeasonRate?: number;
  readonly demand?: 'none' | 'low' | 'high';
  readonly products: readonly WorldProduct[];
  readonly days?: Readonly<Record<string, readonly WorldTeeTime[]>>;
  readonly prices?: Readonly<Record<string, readonly WorldDayProduct[]>>;
  readonly repeat?: 'weekly';
}

export interface WorldExtra {
  readonly id: number;
  readonly name: string;
  readonly category?: string;
  readonly price: number;
  readonly netRate?: number;
  readonly publicRate?: number;
}

export interface WorldFacility {
  readonly id: number;
  readonly name: string;
  readonly country: string;
  readonly timeZone?: string;
  readonly currency?: string;
  readonly language?: string;
  readonly website?: string;
  readonly email?: string;
  readonly phone?: string;
  readonly description?: string;
  readonly created?: string;
  readonly founded?: number;
  readonly images?: number | readonly string[];
  readonly logo?: string;
  readonly address?: {
    readonly id?: number;
    readonly street?: string;
    readonly number?: string;
    readonly addition?: string;
    readonly line2?: string;
    readonly zipcode?: string;
    readonly place?: string;
    readonly state?: string;
    readonly region?: string;
    readonly latitude?: number;
    readonly longitude?: number;
  };
  readonly contact?: { readonly name?: string; readonly email?: string; readonly phone?: string };
  readonly services?: { readonly id?: number; readonly [name: string]: boolean | number | undefined };
  readonly paymentRule?: Readonly<Record<string, string | number>>;
  readonly applicableForWhitelable?: boolean;
  readonly cancellation?: readonly { readonly from: number; readonly to: number; readonly hours: number }[];
  readonly extras?: readonly WorldExtra[];
  readonly channels?: readonly string[];
  readonly scenario?: string;
  readonly members?: Readonly<Record<string, WorldMembers>>;
  readonly courses: readonly WorldCourse[];
}

export interface WorldChannel {
  readonly name: string;
  readonly username?: string;
  readonly password?: string;
  readonly refreshToken?: string;
}

export interface WorldBooking {
  readonly channel: string;
  readonly facility: number;
  readonly course?: number;
  readonly day?: number;
  readonly date?: string;
  readonly time?: string;
  readonly players?: number;
  readonly status?: 'BOOKED' | 'CANCELED';
  readonly firstName?: string;
  readonly lastName?: string;
  readonly phone?: string;
  readonly email?: string;
}

/** The members that facilities have or lack in the answers of one operation, as paths such as \`address.address2\`. */
export interface WorldMembers {
  readonly with?: readonly string[];
  readonly without?: readonly string[];
  readonly withoutEmpty?: readonly string[];
  readonly null?: readonly string[];
}

/** How the answers of a world differ from the documented form. */
export interface WorldForms {
  readonly priceSteps?: 'all' | 'available';
  readonly pastTeeTimes?: 'left-out' | 'listed';
  readonly priceOrder?: readonly ('facility' | 'course' | 'date' | 'product')[];
  readonly priceFacilities?: 'asked' | 'by-id';
  readonly priceDays?: 'all' | 'open' | 'on-sale';
  readonly members?: Readonly<Record<string, WorldMembers>>;
}

/** A world of one's own, by \`spec/world.schema.json\`. */
export interface WorldFile {
  readonly $schema?: string;
  readonly extends?: 'default';
  readonly dialect?: components['schemas']['DialectCard'];
  readonly forms?: WorldForms;
  readonly channels?: readonly WorldChannel[];
  readonly facilities: readonly WorldFacility[];
  readonly bookings?: readonly WorldBooking[];
}
`;
