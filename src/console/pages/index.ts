import {
  ArrowLeftRight,
  BookOpen,
  BookOpenCheck,
  CalendarDays,
  Clock,
  House,
  Languages,
  Save,
  Webhook,
  Zap,
  type IconNode,
} from 'lucide';
import type { ComponentType } from 'preact';

/** A page of the console. Its code is loaded when it is opened. */
export interface ConsolePage {
  /** The first part of the address: `#/requests`. */
  readonly id: string;
  readonly title: string;
  readonly icon: IconNode;
  /** The heading in the navigation; pages of one group stand together. */
  readonly group?: string;
  readonly load: () => Promise<{ readonly default: ComponentType }>;
}

/** The pages in the order of the navigation. The first one is shown at the address without a page. */
export const pages: readonly ConsolePage[] = [
  { id: 'start', title: 'Start', icon: House, load: () => import('./start/start.js') },
  {
    id: 'tee-sheet',
    title: 'Tee sheet',
    icon: CalendarDays,
    group: 'World',
    load: () => import('./tee-sheet/tee-sheet.js'),
  },
  {
    id: 'bookings',
    title: 'Bookings',
    icon: BookOpenCheck,
    group: 'World',
    load: () => import('./bookings/bookings.js'),
  },
  {
    id: 'scenarios',
    title: 'Scenarios',
    icon: Zap,
    group: 'Failures',
    load: () => import('./scenarios/scenarios.js'),
  },
  {
    id: 'requests',
    title: 'Requests',
    icon: ArrowLeftRight,
    group: 'Traffic',
    load: () => import('./requests/requests.js'),
  },
  {
    id: 'callbacks',
    title: 'Callbacks',
    icon: Webhook,
    group: 'Traffic',
    load: () => import('./callbacks/callbacks.js'),
  },
  { id: 'clock', title: 'Clock', icon: Clock, group: 'Time and rules', load: () => import('./clock/clock.js') },
  {
    id: 'dialect',
    title: 'Dialect',
    icon: Languages,
    group: 'Time and rules',
    load: () => import('./dialect/dialect.js'),
  },
  { id: 'state', title: 'State', icon: Save, group: 'Time and rules', load: () => import('./state/state.js') },
  {
    id: 'reference',
    title: 'API reference',
    icon: BookOpen,
    group: 'Reference',
    load: () => import('./reference/reference.js'),
  },
];
