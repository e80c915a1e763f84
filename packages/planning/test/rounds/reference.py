"""Plans days by OR-Tools, to compare with: a JSON list of {problem, seconds} on standard input, answers on standard output."""

import json
import sys

from ortools.constraint_solver import pywrapcp, routing_enums_pb2

HORIZON = 86_400
DROPPED = 10_000_000


def plan(problem, limit):
    installers, visits = problem["installers"], problem["visits"]
    seconds = problem["travel"]["seconds"]
    n, m = len(visits), len(installers)
    nodes = [v["node"] for v in visits] + [i["start"] for i in installers] + [i["end"] for i in installers]
    durations = [v["duration"] for v in visits] + [0] * (2 * m)
    manager = pywrapcp.RoutingIndexManager(n + 2 * m, m, [n + i for i in range(m)], [n + m + i for i in range(m)])
    routing = pywrapcp.RoutingModel(manager)

    # An unused installer does not travel: start and end are the same place.
    def travel(a, b):
        return seconds[nodes[manager.IndexToNode(a)]][nodes[manager.IndexToNode(b)]]

    cost = routing.RegisterTransitCallback(travel)
    routing.SetArcCostEvaluatorOfAllVehicles(cost)
    passing = routing.RegisterTransitCallback(lambda a, b: travel(a, b) + durations[manager.IndexToNode(a)])
    routing.AddDimension(passing, HORIZON, 2 * HORIZON, False, "time")
    time = routing.GetDimensionOrDie("time")
    plages = installers[0]["plages"]
    assert all(i["plages"] == plages for i in installers), "one set of hours for all"
    for at, visit in enumerate(visits):
        index = manager.NodeToIndex(at)
        starts = [[p["debut"], p["fin"] - visit["duration"]] for p in plages]
        if visit["fenetre"] is not None:
            wish = visit["fenetre"]
            starts = [[max(a, wish["debut"]), min(b, wish["fin"])] for a, b in starts]
        starts = [[a, b] for a, b in starts if a <= b]
        able = [
            i
            for i, who in enumerate(installers)
            if visit["competence"] is None or who["competences"] is None or visit["competence"] in who["competences"]
        ]
        routing.AddDisjunction([index], DROPPED)
        if not starts or not able:
            routing.VehicleVar(index).SetValues([-1])
            continue
        routing.VehicleVar(index).SetValues([-1] + able)
        cumul = time.CumulVar(index)
        cumul.SetRange(starts[0][0], starts[-1][1])
        for (_, end), (begin, _) in zip(starts, starts[1:]):
            cumul.RemoveInterval(end + 1, begin - 1)

    parameters = pywrapcp.DefaultRoutingSearchParameters()
    parameters.first_solution_strategy = routing_enums_pb2.FirstSolutionStrategy.PARALLEL_CHEAPEST_INSERTION
    parameters.local_search_metaheuristic = routing_enums_pb2.LocalSearchMetaheuristic.GUIDED_LOCAL_SEARCH
    parameters.time_limit.FromMilliseconds(int(limit * 1000))
    solution = routing.SolveWithParameters(parameters)
    if solution is None:
        return None
    served, total = 0, 0
    for vehicle in range(m):
        index = routing.Start(vehicle)
        while not routing.IsEnd(index):
            following = solution.Value(routing.NextVar(index))
            total += travel(index, following)
            served += not routing.IsEnd(following)
            index = following
    return {"served": served, "travel": total}


json.dump([plan(each["problem"], each["seconds"]) for each in json.load(sys.stdin)], sys.stdout)
