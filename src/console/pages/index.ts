import {
  ArrowLeftRight,
  Award,
  BookOpen,
  BookOpenCheck,
  CalendarDays,
  CircleQuestionMark,
  ClipboardCheck,
  Clock,
  House,
  Languages,
  Save,
  Webhook,
  Zap,
  type IconNode,
} from 'lucide';
import type { ComponentType } from 'preact';
import { lazy } from '../parts/lazy.js';
import BookingsPage from './bookings/bookings.js';
import CallbacksPage from './callbacks/callbacks.js';
import ClockPage from './clock/clock.js';
import RequestsPage from './requests/requests.js';
import ScenariosPage from './scenarios/scenarios.js';
import StartPage from './start/start.js';
import TeeSheetPage from './tee-sheet/tee-sheet.js';

export interface ConsolePage {
  /** The first part of the address: `#/requests`. */
  readonly id: string;
  readonly title: string;
  readonly icon: IconNode;
  /** The heading in the navigation; pages of one group stand together. */
  readonly group?: string;
  readonly content: ComponentType;
}

/**
 * The pages in the order of the navigation. The first one is shown at the address without a page. They are one file,
 * since in pieces they would be a tenth larger, but for those that are seldom opened.
 */
export const pages: readonly ConsolePage[] = [
  { id: 'start', title: 'Start', icon: House, content: StartPage },
  {
    id: 'tee-sheet',
    title: 'Tee sheet',
    icon: CalendarDays,
    group: 'World',
    content: TeeSheetPage,
  },
  {
    id: 'bookings',
    title: 'Bookings',
    icon: BookOpenCheck,
    group: 'World',
    content: BookingsPage,
  },
  {
    id: 'scenarios',
    title: 'Scenarios',
    icon: Zap,
    group: 'Failures',
    content: ScenariosPage,
  },
  {
    id: 'requests',
    title: 'Requests',
    icon: ArrowLeftRight,
    group: 'Traffic',
    content: RequestsPage,
  },
  {
    id: 'callbacks',
    title: 'Callbacks',
    icon: Webhook,
    group: 'Traffic',
    content: CallbacksPage,
  },
  { id: 'clock', title: 'Clock', icon: Clock, group: 'Time and rules', content: ClockPage },
  {
    id: 'dialect',
    title: 'Dialect',
    icon: Languages,
    group: 'Time and rules',
    content: lazy(async () => (await import('./seldom.js')).DialectPage),
  },
  {
    id: 'state',
    title: 'State',
    icon: Save,
    group: 'Time and rules',
    content: lazy(async () => (await import('./seldom.js')).StatePage),
  },
  {
    id: 'reference',
    title: 'API reference',
    icon: BookOpen,
    group: 'Reference',
    content: lazy(async () => (await import('./seldom.js')).ReferencePage),
  },
  {
    id: 'conformance',
    title: 'Conformance',
    icon: ClipboardCheck,
    group: 'Reference',
    content: lazy(async () => (await import('./reports.js')).ConformancePage),
  },
  {
    id: 'certification',
    title: 'Certification',
    icon: Award,
    group: 'Reference',
    content: lazy(async () => (await import('./reports.js')).CertificationPage),
  },
  {
    id: 'docs',
    title: 'Documentation',
    icon: CircleQuestionMark,
    group: 'Reference',
    content: lazy(async () => (await import('./docs/docs.js')).default),
  },
];
