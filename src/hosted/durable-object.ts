import { DurableObject as PlatformObject } from 'cloudflare:workers';
import type { ObjectBase } from './platform.js';

/** The base class of objects. Its type is our own, so that the declarations need no types of the platform. */
export const DurableObject: ObjectBase = PlatformObject;
