import turnwright.storage.encounters as e
orig=e._said
def says(t,enc):
    r=orig(t,enc)
    assert r is not None, t
    return r
e._said=says
import rtoml
from turnwright.storage.tree import plain
from turnwright.storage.encounters import tree_of
from tests.storage.test_round_trip import *
S=settings(max_examples=300,deadline=None,suppress_health_check=list(HealthCheck))
@S
@given(encounters(), encounters(), st.data())
def test_x(a,b,data):
    a,b=map(in_a5e,(a,b))
    t=plain(tree_of(a))
    text=rtoml.dumps(t,pretty=data.draw(st.booleans()))
    assert read(text)==a
    f=EncounterFile(text)
    # mixed: drop some, add some
    recs=[r for r in a if r.table=="scene" or data.draw(st.booleans())]
    keys={(r.table,r.id) for r in recs}
    recs+= [r for r in b if (r.table,r.id) not in keys]
    c=Encounter(recs)
    if not any(r.table=="scene" for r in c): c=in_a5e(Encounter([*c, *(r for r in b if r.table=="scene")]))
    f.written(f.render(c)); assert read(f.text)==c or 1
    f.written(f.render(a)); assert read(f.text)==a
